/** Owns the faults of a configuration: message, position, and one error for all of them. */
import { LedgerError } from '../model/errors.js'

/** One fault of a file. */
export interface FileFault {
  /** Position in the record, such as `gateway.listen` or `peers[2].pop`. */
  readonly path: string
  /** Line in the file, from 1, when it is known. */
  readonly line?: number
  readonly message: string
}

const lineOf = (one: FileFault): string => {
  const place = one.line === undefined ? '' : `line ${one.line}: `
  return one.path === '' ? `${place}${one.message}` : `${place}${one.path}: ${one.message}`
}

/** Error for a file with faults: all of them are in the message and, by field, in `details.faults`. */
export function faultsError(
  code: 'config_invalid' | 'topology_invalid' | 'genesis_invalid',
  file: string,
  faults: readonly FileFault[],
  hint?: string,
): LedgerError {
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`
  const message = [`${file}: ${count}`, ...faults.map((one) => `  ${lineOf(one)}`)].join('\n')
  return new LedgerError(code, message, { hint, details: { file, faults } })
}
