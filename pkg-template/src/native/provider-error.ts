// Errors that providers report as events of a stream.

import { fieldsOf, listOf, stringOf, type Fields } from '../untrusted.js'

/**
 * An error that a provider reported in its stream.
 *
 * @example
 * ```ts
 * import { NativeBlocks, type ProviderError } from 'tokenweir'
 *
 * const onError = ({ code, message }: ProviderError) => console.log(code, message)
 * const blocks = new NativeBlocks({ onError })
 * blocks.anthropic({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })
 * // → overloaded_error Overloaded
 * ```
 */
export interface ProviderError {
  /** The provider's code, such as `context_length_exceeded`; else its type, or `error` if it gave none. */
  code: string
  /** The provider's type of the error, such as `overloaded_error`, if it gave one. */
  type?: string
  /** The HTTP status that it names, if it names one. */
  status?: number
  /** The provider's message, or `no reason given`. */
  message: string
  /** The event as it came. */
  raw: object
}

/** The error that an event reports; undefined if it reports none. */
export function errorIn(event: Fields): ProviderError | undefined {
  const type = stringOf(event['type'])
  if (type === 'response.failed') return made(fieldsOf(event['response'])?.['error'], event)
  // vLLM says so in `object`, beside a type of its own.
  if (type === 'error' || event['object'] === 'error') return made(event['error'] ?? event['errorText'] ?? event, event)
  // AG-UI: its type says no more of it.
  if (type === 'RUN_ERROR') return made({ ...event, type: undefined }, event)
  if (type === '') {
    // The Bedrock SDK's stream has an error as a member of its union.
    for (const name of Object.keys(event))
      if (name.endsWith('Exception') && EXCEPTION.test(name))
        return made({ code: name, message: fieldsOf(event[name])?.['message'] }, event)
  }
  // An error replaces a chunk's content, or comes with it. That of a tool is no error of the provider.
  const error = event['error']
  const isNone = !error || (fieldsOf(error) !== undefined && Object.keys(error).length === 0)
  return isNone || /^(tool-|TOOL_CALL_)/.test(type) ? undefined : made(error, event)
}

/** The error that the body of a response is that is no reply: of any server, and Gemini's in a list. */
export function errorInBody(body: unknown): ProviderError | undefined {
  const fields = fieldsOf(listOf(body)[0] ?? body)
  if (fields === undefined) return undefined
  // That of FastAPI, and so of vLLM, is a text or a list of what is wrong.
  const detail = listOf(fields['detail'])[0] ?? fields['detail']
  const said = detail ?? (stringOf(fields['message']) === '' ? undefined : fields)
  return errorIn(fields) ?? (said === undefined ? undefined : made(said, fields))
}

const EXCEPTION = /^[a-z][A-Za-z]*Exception$/

function made(error: unknown, raw: Fields): ProviderError {
  const fields = typeof error === 'string' ? { ...raw, message: error } : (fieldsOf(error) ?? {})
  const wordIn = (...names: readonly string[]) =>
    names
      .map((name) => fields[name])
      .map((word) => (typeof word === 'number' ? String(word) : stringOf(word)))
      .find((word) => word !== '' && word !== 'error')
  const type = wordIn('type', 'error_type', '__type')
  const code = wordIn('code', 'error_code')
  const status = ['status', 'statusCode', 'status_code', 'code'].map((name) => Number(fields[name])).find(isStatus)
  // A code that is an HTTP status says less than a word beside it.
  const words = [code, wordIn('status'), type, wordIn('name')]
  return {
    code: words.find((word) => word !== undefined && !isStatus(Number(word))) ?? code ?? wordIn('status') ?? 'error',
    ...(type !== undefined && { type }),
    ...(status !== undefined && { status }),
    message: stringOf(fields['message'] ?? fields['msg']) || 'no reason given',
    raw,
  }
}

function isStatus(code: number): boolean {
  return code >= 400 && code < 600
}
