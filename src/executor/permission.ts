/** Owns the declaration of permissions and of the kinds of objects that they are about. */
import type { AccountId, Dated, Incarnation } from '../model/index.js'
import type { StateReader } from '../state/index.js'

/** A kind of objects that permissions are about, declared by the feature that has the objects. */
export interface ObjectKind {
  /** Its name in messages and in the hash of the ABI. */
  readonly name: string
  /** True if a text is the canonical id of such an object; other texts are invalid. */
  isId(text: string): boolean
  /** Account that grants permissions on the object; undefined: the object is absent, or its kind has no owners. */
  owner(state: StateReader, id: string): AccountId | undefined
  /** Incarnation of the object, so that tokens die with it; undefined if it is absent. */
  incarnation(state: StateReader, id: string): Incarnation | undefined
}

/** Permission name: its object type and the accounts that may grant it. */
export interface Permission extends Dated {
  readonly name: string
  /** Kind of its object; absent: it is global, and its holders grant it. */
  readonly on?: ObjectKind
  /** Global permission whose holders grant tokens of this name: for objects without an owner. */
  readonly grantedBy?: string
  /**
   * Global permission whose holders may grant this global one while it has no holder, because it was added by an
   * upgrade.
   */
  readonly firstGrantedBy?: string
}

/** Name of the kind of a permission's object, `none` for a global one. */
export const objectOf = ({ on }: Permission): string => on?.name ?? 'none'
