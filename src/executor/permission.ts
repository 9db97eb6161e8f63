/** Owns the declaration of permissions and of the kinds of objects that they apply to. */
import type { AccountId, Dated, Incarnation } from '../model/index.js'
import type { StateReader } from '../state/index.js'

/** Kind of objects that permissions apply to, declared by the feature that has the objects. */
export interface ObjectKind {
  /** Its name in messages and in the hash of the ABI. */
  readonly name: string
  /** True if a text is the canonical id of an object of this kind; other texts are invalid. */
  isId(text: string): boolean
  /** Account that grants permissions on the object; undefined: the object is absent, or its kind has no owners. */
  owner(state: StateReader, id: string): AccountId | undefined
  /** Incarnation of the object, so that tokens become invalid with it; undefined if it is absent. */
  incarnation(state: StateReader, id: string): Incarnation | undefined
}

/** Permission name: its object type and the accounts that may grant it. */
export interface Permission extends Dated {
  readonly name: string
  /** Kind of its object; absent for a global permission, which its holders grant. */
  readonly on?: ObjectKind
  /** Global permission whose holders grant tokens of this name: for objects without an owner. */
  readonly grantedBy?: string
  /**
   * Global permission whose holders may grant this global permission while it has no holder, because it was added by an
   * upgrade.
   */
  readonly firstGrantedBy?: string
}

/** Kind name of a permission's object; `none` for a global one. */
export const objectOf = ({ on }: Permission): string => on?.name ?? 'none'
