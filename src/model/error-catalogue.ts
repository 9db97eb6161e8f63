/**
 * Owns the error catalogue: every code with its HTTP status, exit code, meaning and hint. Kernel codes are in
 * `error-codes`; each feature declares its own (`declareErrors`), so that the catalogue contains the codes of loaded
 * features only.
 */
import { admissionErrors } from './error-codes/admission.js'
import { codecErrors } from './error-codes/codec.js'
import { commandLineErrors } from './error-codes/command-line.js'
import { executionErrors } from './error-codes/execution.js'
import { gatewayErrors } from './error-codes/gateway.js'
import { operationErrors } from './error-codes/operation.js'
import type { ErrorDef } from './error-row.js'

export * from './error-row.js'

/** Codes outside of features, in the order of the reference page. Append only: scripts match on the codes. */
const KERNEL_ERRORS = [
  codecErrors,
  admissionErrors,
  executionErrors,
  gatewayErrors,
  operationErrors,
  commandLineErrors,
] as const

type KeysOf<Rows> = Rows extends unknown ? keyof Rows : never

/** Registry of codes by name; each feature adds its names by declaration merging. */
export interface ErrorRegistry extends Record<KeysOf<(typeof KERNEL_ERRORS)[number]>, ErrorDef> {}

/** A code of the catalogue. */
export type ErrorCode = keyof ErrorRegistry

const catalogue: Record<string, ErrorDef> = {}
for (const rows of KERNEL_ERRORS) declareErrors(rows)

/** Error codes of all loaded features. */
export const ERRORS = catalogue as Readonly<ErrorRegistry>

/** Numbers of the kernel codes that instructions return. */
export const KERNEL_ERROR_NUMBERS = numbersOf(catalogue)

/**
 * Add the codes of a feature, or of an area of the kernel, to the catalogue. Throws for an existing code: each has one
 * owner.
 */
export function declareErrors<Rows extends Record<string, ErrorDef>>(rows: Rows): Rows {
  for (const [code, def] of Object.entries(rows)) {
    if (Object.hasOwn(catalogue, code)) throw new Error(`two owners of the error code ${code}`)
    catalogue[code] = def
  }
  return rows
}

/** Codes among these rows that have a number, by number. */
export function numbersOf(rows: Readonly<Record<string, ErrorDef>>): [code: ErrorCode, number: number][] {
  return Object.entries(rows)
    .flatMap(([code, { number }]): [ErrorCode, number][] => (number === undefined ? [] : [[code as ErrorCode, number]]))
    .sort(([, a], [, b]) => a - b)
}
