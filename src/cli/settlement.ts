/** Owns the agreement to a settlement on the command line: the grant that lets another account submit exactly these terms. */
import type { CodecContext, Json } from '../codec/index.js'
import type { SettleDvp, SettlePvp } from '../features/lanes/schema/instructions.js'
import { settlementObject } from '../features/lanes/schema/settlement.js'
import { type AccountId, LedgerError, parseAddress } from '../model/index.js'
import { instructionsOf, resolveAccount, type Signing } from './submit.js'

/** The settlement among instructions: exactly one. */
function settlementOf(twins: readonly Json[], codec: CodecContext) {
  const found = instructionsOf(twins, codec).filter((one) => one.kind === 'settleDvp' || one.kind === 'settlePvp')
  const [only, ...others] = found
  if (only === undefined || others.length > 0) {
    throw new LedgerError('bad_value', 'expected one settlement: {"SettleDvp": {...}} or {"SettlePvp": {...}}')
  }
  if (only.kind === 'settleDvp') {
    const { id, delivery, payment } = only.value as SettleDvp
    return { id, legs: [delivery, payment] }
  }
  const { id, first, second } = only.value as SettlePvp
  return { id, legs: [first, second] }
}

/** JSON twin of the grant by which the signing account agrees; throws unless a leg leaves that account. */
export async function agreementTwin(twins: readonly Json[], submitter: string, signing: Signing): Promise<Json> {
  const { client, codec, address } = signing
  const { id, legs } = settlementOf(twins, codec)
  const own = parseAddress(address, codec.addressPrefix) as AccountId
  if (!legs.some((leg) => leg.asset.account === own)) {
    throw new LedgerError('bad_value', `no leg of settlement ${id} leaves ${address}: there is nothing to agree to`)
  }
  const permission = { name: 'CanSettle', object: settlementObject(id, legs, own) }
  return { Grant: { subject: { Permission: permission }, to: { Account: await resolveAccount(client, submitter) } } }
}
