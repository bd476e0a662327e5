// Blocks from Gemini's `generateContent` and its stream.
//
//     { candidates: [{ content: { parts: [{ text, thought }, { functionCall: { id, name, args } }] }, finishReason }] }
//
// Source: ai.google.dev, "Generating content", `GenerateContentResponse`.
//
// A stream's chunks have the form of a reply. Nothing marks the end of a text: it
// ends where another kind of part begins. Calls come whole, or with arguments in
// pieces until one doesn't say `willContinue`. A call without `args` takes none: the
// API leaves empty ones out; but some gateways send the arguments after it, in a call
// without a name. Only the first candidate is read.

import { isNoArguments, readArguments } from '../json/call-arguments.js'
import { argumentsOf, fieldsOf, jsonOf, listOf, stringOf, type Fields } from '../untrusted.js'
import { NativeBlock } from './block.js'
import { type Provider, type ProviderReader, type Draft, type Keep, type MessageDraft, append } from './provider.js'
import { UnmarkedBlocks } from './unmarked-blocks.js'
import { stepsOfJsonPath } from '../json/path.js'
import { put } from '../own.js'

/** What a part may have. */
const PART =
  /^(text|thought(Signature|_signature)?|functionCall|functionResponse|executableCode|codeExecutionResult|inlineData|fileData|videoMetadata|mediaResolution|partMetadata|toolCall|toolResponse)$/

/** A call whose arguments are not all there, or may not be. */
interface OpenCall {
  readonly block: NativeBlock
  readonly args: PartialArgs
  /** It came without arguments, and is whole if none follow. */
  readonly isEmpty: boolean
  /** Whether arguments were absent so far, which is not the same as none: a tool may require some. */
  isAbsent: boolean
}

class GeminiReader extends UnmarkedBlocks implements ProviderReader {
  private partial: OpenCall | undefined

  feed(chunk: Fields): boolean {
    for (const item of listOf(chunk['candidates'])) {
      const candidate = fieldsOf(item)
      if (candidate === undefined || (candidate['index'] ?? 0) !== 0) continue
      for (const part of listOf(fieldsOf(candidate['content'])?.['parts'])) this.readPart(fieldsOf(part) ?? {})
      if (stringOf(candidate['finishReason']) !== '') this.endAll()
    }
    return isChunk(chunk)
  }

  whole(reply: Fields): void {
    this.feed(reply)
    this.endAll()
  }

  override endReply(): void {
    this.endPartial(false)
    super.endReply()
  }

  override forget(): void {
    this.partial = undefined
    super.forget()
  }

  private endAll(): void {
    this.endText()
    this.endPartial(false)
  }

  private readPart(part: Fields): void {
    const call = fieldsOf(part['functionCall'])
    const code = fieldsOf(part['executableCode'])
    const result = fieldsOf(part['codeExecutionResult'])
    const answer = fieldsOf(part['functionResponse'])
    const text = stringOf(part['text'])
    // The last piece of a call may be empty.
    const isPiece =
      call !== undefined &&
      this.partial !== undefined &&
      stringOf(call['name']) === '' &&
      ['', this.partial.block.id].includes(stringOf(call['id']))
    if (!isPiece && (call ?? code ?? result ?? answer ?? text) !== '') this.endPartial(false)
    if (call !== undefined) {
      if (isPiece || stringOf(call['name']) !== '' || call['args'] !== undefined) this.readPartial(call)
    } else if (code !== undefined) {
      this.wholeCall('code_execution', stringOf(code['id']), jsonOf(code), true)
    } else if (result !== undefined) {
      this.endText()
      this.order.result(stringOf(result['output']), stringOf(result['id']), result['outcome'] !== 'OUTCOME_OK', true)
    } else if (answer !== undefined) {
      this.endText()
      this.order.result(jsonOf(answer['response']), stringOf(answer['id']), false)
    } else this.say(part['thought'] === true ? 'reasoning' : 'content', text)
    const signature = stringOf(part['thoughtSignature'] ?? part['thought_signature'])
    if (signature !== '') this.order.note({ signature })
    if (!Object.keys(part).every((name) => PART.test(name))) this.order.notUnderstood()
  }

  private readPartial(call: Fields): void {
    const isWhole = call['willContinue'] !== true && call['partialArgs'] === undefined
    const [name, id, written] = [stringOf(call['name']), stringOf(call['id']), argumentsOf(call['args'])]
    if (this.partial === undefined && isWhole && !isNoArguments(written) && written.trim() !== '{}')
      return this.wholeCall(name, id, written)
    this.endText()
    const isEmpty = this.partial === undefined && isWhole
    const open = (this.partial ??= {
      block: this.order.begin('tool_call', name, id),
      args: new PartialArgs(),
      isEmpty,
      isAbsent: true,
    })
    const { args } = open
    const pieces = listOf(call['partialArgs'])
    open.isAbsent &&= isNoArguments(written) && pieces.length === 0
    const read = readArguments(written)
    if ('input' in read) args.addAll(read.input)
    else args.isWhole = false
    for (const piece of pieces) args.add(piece)
    if (!isEmpty && call['willContinue'] !== true) this.endPartial(args.isWhole)
  }

  /** Ends the call whose arguments come in pieces. */
  private endPartial(isWhole: boolean): void {
    const open = this.partial
    if (open === undefined) return
    this.partial = undefined
    this.order.append(open.block, open.isAbsent ? '' : open.args.toString())
    if (isWhole || open.isEmpty) this.order.end(open.block)
    else this.order.cut(open.block)
  }
}

/** A reply has the form of a chunk. */
function isChunk(object: Fields): boolean {
  return (
    Array.isArray(object['candidates']) ||
    fieldsOf(object['promptFeedback']) !== undefined ||
    fieldsOf(object['usageMetadata']) !== undefined
  )
}

/** The names of a signature. */
const SIGNATURES = ['thoughtSignature', 'thought_signature'] as const

/** The message of a stream's chunks, or of a whole reply. */
export class GeminiMessage implements MessageDraft {
  readonly #parts: Draft[] = []

  read(event: Fields): void {
    for (const item of listOf(event['candidates'])) {
      const candidate = fieldsOf(item)
      if (candidate === undefined || (candidate['index'] ?? 0) !== 0) continue
      for (const part of listOf(fieldsOf(candidate['content'])?.['parts'])) this.#add(fieldsOf(part) ?? {})
    }
  }

  finish(keep: Keep): object | undefined {
    const parts = this.#parts.flatMap((part) => sent(part, keep))
    return parts.length === 0 ? undefined : { role: 'model', parts }
  }

  #add(part: Fields): void {
    const last = this.#parts.at(-1)
    const call = fieldsOf(part['functionCall'])
    const open = fieldsOf(last?.['functionCall'])
    // A call's arguments may come in pieces: those that the parser has read go back.
    if (call !== undefined && open?.['willContinue'] === true && stringOf(call['name']) === '') {
      ;(last as Draft)['functionCall'] = { ...open, willContinue: call['willContinue'] }
      for (const name of SIGNATURES) if (part[name] !== undefined) (last as Draft)[name] = part[name]
      return
    }
    if (typeof part['text'] !== 'string') return void this.#parts.push({ ...part })
    const isAlike = last !== undefined && isPlain(last) && isPlain(part) && last['thought'] === part['thought']
    if (isAlike) append(last, 'text', part['text'])
    else if (part['text'] !== '' || !isPlain(part)) this.#parts.push({ ...part })
  }
}

/** Whether a part is text, or a thought, and nothing else. */
function isPlain(part: Fields): boolean {
  return typeof part['text'] === 'string' && Object.keys(part).every((name) => name === 'text' || name === 'thought')
}

/** A part as it goes back; none, if it can't. */
function sent(part: Draft, keep: Keep): object[] {
  const call = fieldsOf(part['functionCall'])
  if (call === undefined) return [part]
  const { partialArgs, willContinue, ...whole } = call
  const isInPieces = partialArgs !== undefined || willContinue !== undefined
  const input = isInPieces ? undefined : (call['args'] ?? {})
  const kept = keep({ id: stringOf(call['id']), name: stringOf(call['name']), input })
  if (kept === undefined) return []
  return [{ ...part, functionCall: isInPieces ? { ...whole, args: kept.input } : call }]
}

/**
 * Puts together arguments that come in pieces, each with the path of its place.
 *
 *     { jsonPath: '$.city', stringValue: 'Zü' }  { jsonPath: '$.city', stringValue: 'rich' }
 *
 * Source: docs.cloud.google.com, "Function calling", `partialArgs` and `willContinue`.
 */
class PartialArgs {
  /** Whether each piece had a place. */
  isWhole = true
  private readonly args: Record<string, unknown> = {}

  /** Takes a piece. */
  add(item: unknown): void {
    const piece = fieldsOf(item) ?? {}
    const value = 'nullValue' in piece ? null : (piece['stringValue'] ?? piece['numberValue'] ?? piece['boolValue'])
    if (!this.addAt(stringOf(piece['jsonPath']), value)) this.isWhole = false
  }

  /** Takes arguments that are not in pieces. */
  addAll(args: unknown): void {
    for (const [name, value] of Object.entries(fieldsOf(args) ?? {})) put(this.args, name, value)
  }

  /** The arguments so far. */
  toString(): string {
    return jsonOf(this.args)
  }

  /** Puts a value in its place; text is added to the text there. False if there is no such place. */
  private addAt(path: string, value: unknown): boolean {
    const steps = stepsOfJsonPath(path)
    const last = steps?.pop()
    if (steps === undefined || last === undefined || value === undefined) return false
    let place: object = this.args
    for (const [at, step] of steps.entries()) {
      if (!hasPlace(place, step)) return false
      if (!Object.hasOwn(place, step))
        put(place as Record<string, unknown>, String(step), typeof (steps[at + 1] ?? last) === 'number' ? [] : {})
      const inner = (place as Record<string | number, unknown>)[step]
      if (typeof inner !== 'object' || inner === null) return false
      place = inner
    }
    if (!hasPlace(place, last)) return false
    const before = Object.hasOwn(place, last) ? (place as Record<string | number, unknown>)[last] : undefined
    put(
      place as Record<string, unknown>,
      String(last),
      typeof before === 'string' && typeof value === 'string' ? before + value : value,
    )
    return true
  }
}

/** A list grows by one element at a time, and has no names. */
function hasPlace(place: object, step: string | number): boolean {
  return Array.isArray(place) ? typeof step === 'number' && step <= place.length : typeof step === 'string'
}

export const gemini: Provider = {
  shapeOf: (object) => (isChunk(object) ? 'event' : undefined),
  front: { candidates: /\[/, promptFeedback: /\{/, usageMetadata: /\{/, modelVersion: /"/, responseId: /"/ },
  reason: ['candidates.0.finishReason', 'promptFeedback.blockReason'],
  usage: ['usageMetadata'],
  Reader: GeminiReader,
}
