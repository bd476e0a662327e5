// What the definitions of custom tags say of the types of their blocks.
//
//     { type: 'file', attributes: ['path'] }     CustomBlock<'file', 'path'>
//     { type: 'file' }                           CustomBlock<'file'>

/**
 * A tag whose content is a block of a type of its own, with the tag's attributes. Inside of it only its own closing tag
 * counts, and the tags that are its children; the block goes on after theirs. `Name`: the names of attributes; `Child`:
 * the definitions of its children.
 *
 * @example
 * ```ts
 * import { BlockParser, type CustomTag } from 'tokenweir/blocks'
 *
 * const artifact: CustomTag<'artifact', 'id'> = { type: 'artifact', attributes: ['id'] }
 * const parser = new BlockParser({
 *   tags: { artifact },
 *   onChunk: (text, meta) => meta.type === 'artifact' && console.log(meta.attributes.id, text),
 * })
 * parser.processChunk('<artifact id="a1">let x = 1') // a1 let x = 1
 * ```
 */
export interface CustomTag<Type extends string = string, Name extends string = string, Child = never> {
  /** The type of its blocks. */
  readonly type: Type
  /**
   * The names of its attributes, for their types: others are read too. @defaultValue any names
   */
  readonly attributes?: readonly Name[] | undefined
  /** Whether a reader may see its content. @defaultValue false */
  readonly visible?: boolean | undefined
  /** The tags that count inside of it, by name. */
  readonly children?: Readonly<Record<string, Child>> | undefined
}

/**
 * What a tag means.
 *
 * @example
 * ```ts
 * import { BlockParser, type TagRole } from 'tokenweir/blocks'
 *
 * const tags: Record<string, TagRole> = { think: 'thinking', reasoning: 'thinking' }
 * const parser = new BlockParser({ tags, onChunk: (text, { type }) => console.log(type, text) })
 * parser.processChunk('<think>hm') // thinking hm
 * ```
 */
export type TagRole = 'thinking' | 'function_calls' | 'function_results' | 'invoke' | 'parameter' | 'result' | 'error'

/** A definition with any type, any attributes and any tags inside. */
export interface AnyTag extends CustomTag<string, string, AnyTag> {}

/** What a name without a block of its own means. */
export type Role = TagRole | false

/** What a name means. */
export type Meaning = AnyTag | Role

/** Attributes by their names; any names, if the definition has none. A model may leave out what it was asked for. */
export type Attributes<Name extends string> = string extends Name ? Record<string, string> : { [Key in Name]?: string }

/**
 * Definitions with the known fields alone, so that the compiler names another one. It is not what they are inferred
 * from, and so stands in brackets.
 */
export type Known<Tag> = KnownIn<[Tag][Tag extends unknown ? 0 : never]>

type KnownIn<Tag> = {
  readonly [Key in keyof Tag]: Key extends 'children'
    ? KnownChildren<Tag[Key]>
    : Key extends keyof CustomTag
      ? Tag[Key]
      : NotAnOption
}

/** What nothing is: so an error of the compiler stands at the option that is not there. */
interface NotAnOption {
  readonly 'is not an option of a tag': never
}

type KnownChildren<Children> = { readonly [Name in keyof Children]: KnownIn<Children[Name]> }
