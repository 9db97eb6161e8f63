/** Owns the accounts that features act as when nobody asked them to: in runs that the chain pays, at the ends of blocks. */
import { hash } from '../crypto/index.js'
import { type AccountId, keylessAccount } from '../model/index.js'

/** Account that a feature acts as; nobody has its key, and it has no right that nobody granted it. */
export const systemAccount = (feature: string): AccountId =>
  keylessAccount('system', hash('system', Buffer.from(feature, 'utf8')))
