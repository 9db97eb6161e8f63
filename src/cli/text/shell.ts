/** Owns texts as shell words, for hints to copy and for completion scripts. */

/** Words that a shell reads unchanged, including letters of any script. */
const PLAIN = /^[\p{L}\p{N}_@%+=:,./-]+$/u

/** Text in single quotes. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Text as one shell word, quoted if needed. */
export const shellWord = (text: string): string => (PLAIN.test(text) ? text : quoted(text))
