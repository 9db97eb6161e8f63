/** Owns the messages for usage errors of oclif. */
import { nearest } from '../../model/suggest.js'

/** Error thrown by oclif: its message, and the flags of the command. */
export interface ParserFault {
  readonly message: string
  readonly parse?: { readonly input?: { readonly flags?: Readonly<Record<string, unknown>> } }
}

/** Rewrite a line of oclif in the form of the other errors: lower case, the expected value, then the given value. */
function plainLine(line: string): string {
  return line
    .trim()
    .replace(/^Missing required flag (\S+)$/, 'missing flag --$1')
    .replace(/Expected an integer but received: (.*)$/, 'expected an integer, got $1')
    .replace(
      /Expected an integer greater than or equal to (\S+) but received: (.*)$/,
      'expected an integer of at least $1, got $2',
    )
    .replace(
      /Expected an integer less than or equal to (\S+) but received: (.*)$/,
      'expected an integer of at most $1, got $2',
    )
    .replace(/^Expected (--[a-z-]+)=(.*) to be one of: (.*)$/, '$1: expected one of $3, got $2')
    .replace(/^Expected (.*) to be one of: (.*)$/, 'expected one of $2, got $1')
    .replace(/^Unexpected arguments?: /, 'unexpected argument: ')
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
  const lines = text.split('\n').map(plainLine)
  const [first = '', ...rest] = lines
  // Names and descriptions in columns.
  if (/^Missing \d+ required args?:$/.test(first)) {
    return rest
      .map((line) => line.replace(/^(\S+)\s*/, (_, name: string) => `missing ${name.toUpperCase()}: `))
      .join('\n')
  }
  // "Parsing --peers", then the reason on a separate line.
  const parsed = /^Parsing (--\S+)$/.exec(first)?.[1]
  return parsed === undefined ? lines.join('\n') : `${parsed}: ${rest.join(' ')}`
}
