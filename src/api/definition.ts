/** Owns the schema side of what features define: the part that clients share with the node. */
import type { Schema } from '../codec/index.js'
import type { EventAbout } from '../model/index.js'

/** An instruction as it travels: wire id, kind in the registry, label for rules and people, record. */
export interface InstructionSchema<T> {
  /** Wire id, never reused (features/ids.ts). */
  readonly id: number
  /** Kind in the open registry; JSON shows it in PascalCase. */
  readonly kind: string
  /** `family::verb`: what routing rules and the explorer match; consensus. */
  readonly label: string
  readonly schema: Schema<T>
}

/** An event kind. */
export interface EventSchema<T> {
  readonly id: number
  readonly kind: string
  readonly schema: Schema<T>
  /** What data triggers and stream filters know it by; consensus. */
  readonly family?: string
  /** Whom and what it is about. */
  readonly about?: (value: T) => EventAbout
}

/** Declares an instruction; the type of its record follows from the schema. */
export const defineInstruction = <T>(
  id: number,
  kind: string,
  label: string,
  schema: Schema<T>,
): InstructionSchema<T> => ({
  id,
  kind,
  label,
  schema,
})
