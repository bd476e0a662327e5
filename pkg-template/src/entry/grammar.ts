/**
 * Grammars that hold a model to what `parseReply` reads: structural tags, GBNF and Lark.
 *
 * @packageDocumentation
 */
export * from '../public/grammar.js'
