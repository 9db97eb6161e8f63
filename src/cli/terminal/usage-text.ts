/** Owns the messages for usage errors of oclif. */
import { nearest } from '../../model/suggest.js'

/** Error thrown by oclif: its message, and the flags of the command. */
export interface ParserFault {
  readonly message: string
  readonly parse?: { readonly input?: { readonly flags?: Readonly<Record<string, unknown>> } }
}

/** One sentence: the error, and the closest known flag. */
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
    return `unknown flag ${unknown}${meant}`
  }
  const lines = text
    .split('\n')
    .map((line) => line.trim().replace(/^Missing required flag (\S+)$/, 'it requires the flag --$1'))
  const [first = '', ...rest] = lines
  // Names and descriptions in columns.
  if (/^Missing \d+ required args?:$/.test(first)) {
    return rest
      .map((line) => line.replace(/^(\S+)\s*/, (_, name: string) => `it requires ${name.toUpperCase()}: `))
      .join('\n')
  }
  // "Parsing --peers", then the reason on a separate line.
  const parsed = /^Parsing (--\S+)$/.exec(first)?.[1]
  return parsed === undefined ? lines.join('\n') : [`${parsed}: ${rest.join(' ')}`].join('\n')
}
