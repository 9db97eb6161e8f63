/** Owns the object of the token by which an account agrees to a settlement that somebody else submits. */
import { hash } from '../../../crypto/index.js'
import { type AccountId, keyBytes } from '../../../model/index.js'
import { type SettlementLeg, settlementLeg } from './instructions.js'

/** Id, hash of both legs, account: good for these terms and, because ids are used once, for one time. */
export const settlementObject = (id: string, legs: readonly SettlementLeg[], account: AccountId): string => {
  const terms = hash('settlement-terms', ...legs.map((leg) => settlementLeg.encode(leg)))
  return `${id}:${terms.toString('hex')}#${keyBytes(account).toString('hex')}`
}
