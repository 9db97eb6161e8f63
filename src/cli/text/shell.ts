/** Owns texts as words of a shell, for hints that are copied and for scripts of completion. */

/** Words that a shell takes as they are, letters of any script included. */
const PLAIN = /^[\p{L}\p{N}_@%+=:,./-]+$/u

/** A text between single quotes. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** A text as one types it as one word: quoted where a shell would read it otherwise. */
export const shellWord = (text: string): string => (PLAIN.test(text) ? text : quoted(text))
