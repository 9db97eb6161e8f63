/** Owns the entries of the audit log: requests of operators and their results. */

/** A value in an audit line. */
export type AuditValue = string | number | boolean | null

/** Audit record of a requested action. */
export interface AuditEntry {
  /** Action, in snake case. */
  readonly action: string
  /** Caller: an address, a key, or the name of a credential. */
  readonly actor: string
  /** Details by name, in snake case; never a secret. */
  readonly fields: Readonly<Record<string, AuditValue>>
}

/** Append-only audit log. */
export interface AuditTrail {
  /** Append an entry; resolves when its line is on disk. */
  append(entry: AuditEntry): Promise<void>
}
