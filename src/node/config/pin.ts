/** Owns changes to a handwritten configuration: one value is replaced, comments and order are preserved. */
import { LedgerError } from '../../model/errors.js'

/**
 * Replace the value of a text key in a section. Throws `config_invalid` if the file does not have the key on its own
 * line.
 */
export function withText(toml: string, section: string, key: string, value: string, file: string): string {
  const lines = toml.split('\n')
  const start = lines.findIndex((line) => line.trim() === `[${section}]`)
  const end = lines.findIndex((line, at) => at > start && /^\s*\[/.test(line))
  const within = lines.slice(0, end < 0 ? undefined : end)
  const at = start < 0 ? -1 : within.findIndex((line, index) => index > start && line.trim().startsWith(`${key} `))
  if (at < 0) {
    throw new LedgerError('config_invalid', `${file}: no line "${key} = ..." in [${section}]`, {
      hint: `Add the line ${key} = ${JSON.stringify(value)}`,
    })
  }
  return lines.with(at, `${key} = ${JSON.stringify(value)}`).join('\n')
}
