/** Owns the reading of configuration files: text of bounded size, and the table that it contains. */
import { parse, TomlError } from 'smol-toml'
import { readRegular } from '../files/bounded-file.js'
import { LedgerError } from '../model/errors.js'
import { faultsError } from './faults.js'

/** Text of a file of at most `maxBytes` bytes. Throws `file_missing`, `file_unreadable` or `config_invalid`. */
export async function readConfigText(file: string, maxBytes: number): Promise<string> {
  try {
    return (await readRegular(file, maxBytes)).toString('utf8')
  } catch (error) {
    if (!(error instanceof LedgerError) || error.code !== 'payload_too_large') throw error
    throw faultsError('config_invalid', file, [{ path: '', message: `more than ${maxBytes} bytes` }])
  }
}

/**
 * Table of a TOML text. `file`: its name in errors; `maxDepth`: maximum nesting of its tables. Throws `config_invalid`
 * with the line.
 */
export function parseToml(text: string, file: string, maxDepth: number): Record<string, unknown> {
  try {
    return parse(text, { maxDepth, unsafeKeyBehaviour: 'throw' })
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const message = error.message.split('\n')[0]!.replace(/^Invalid TOML document: /, '')
    throw faultsError('config_invalid', file, [{ path: '', line: error.line, message }])
  }
}
