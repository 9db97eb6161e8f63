/** Owns the entries of the audit log: requests of operators and their results. */

/** A value in an audit line. */
export type AuditValue = string | number | boolean | null

/** Audit record of a requested action. */
export interface AuditEntry {
  /** Action, in snake case. */
  readonly action: string
  /** Caller: an address, a key, or the name of a credential. */
  readonly actor: string
  /** The particulars by name, in snake case; never a secret. */
  readonly fields: Readonly<Record<string, AuditValue>>
}

/** The append-only record of such actions. */
export interface AuditTrail {
  /** Resolves when the line is on disk. */
  append(entry: AuditEntry): Promise<void>
}
