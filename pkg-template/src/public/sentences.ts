// The public names of sentences.
export { SentenceStream, sentences, type SentenceOptions } from '../sentences.js'
export type { TextSource } from '../sources.js'
