/** Owns our words for what oclif finds wrong with the words of a command. */
import { nearest } from '../../model/suggest.js'

/** What oclif throws: its message, and the flags of the command that it read. */
export interface ParserFault {
  readonly message: string
  readonly parse?: { readonly input?: { readonly flags?: Readonly<Record<string, unknown>> } }
}

/** One sentence: what is wrong, and which flag may have been meant. */
export function usageText({ message, parse }: ParserFault): string {
  const text = message
    .replace(/\n?See more help with --help\n?/g, '')
    .replace(/^The following errors? occurred:\s*/, '')
    .trim()
  const unknown = /^Nonexistent flags?: (.*)$/m.exec(text)?.[1]
  if (unknown !== undefined) {
    const known = Object.keys(parse?.input?.flags ?? {})
    const guesses = unknown.split(', ').flatMap((flag) => nearest(flag.replace(/^-+/, ''), known) ?? [])
    const meant = guesses.length === 0 ? '' : `; did you mean ${guesses.map((name) => `--${name}`).join(', ')}?`
    return `there is no flag ${unknown}${meant}`
  }
  const lines = text
    .split('\n')
    .map((line) => line.trim().replace(/^Missing required flag (\S+)$/, 'it needs the flag --$1'))
  const [first = '', ...rest] = lines
  // Names and descriptions in columns.
  if (/^Missing \d+ required args?:$/.test(first)) {
    return rest
      .map((line) => line.replace(/^(\S+)\s*/, (_, name: string) => `it needs ${name.toUpperCase()}: `))
      .join('\n')
  }
  // "Parsing --peers", then why, on a line of its own.
  const parsed = /^Parsing (--\S+)$/.exec(first)?.[1]
  return parsed === undefined ? lines.join('\n') : [`${parsed}: ${rest.join(' ')}`].join('\n')
}
