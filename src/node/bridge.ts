/** Owns the wiring of the ISO 20022 bridge into a node: its key, its records, its anonymous submitter. */
import { join } from 'node:path'
import { ed25519Signer } from '../crypto/index.js'
import { accountByIdQuery } from '../features/core/queries.js'
import { isoHandlers } from '../features/iso20022/bridge/handlers.js'
import { IsoBridge } from '../features/iso20022/bridge/service.js'
import { RecordStore } from '../features/iso20022/bridge/store.js'
import type { AuditTrail, BridgeSigner } from '../features/services.js'
import { type AccountId, accountKeyOf, accountOfKey, LedgerError, parseAddress } from '../model/index.js'
import type { NodeConfig } from './config/index.js'
import type { NodeKeys } from './identity.js'
import type { Services } from './services.js'

/** The account that a node's bridge signs for. */
export function bridgeSignerOf(keys: NodeKeys): BridgeSigner | undefined {
  if (keys.bridge === undefined) return undefined
  const key = accountKeyOf('ed25519', keys.bridge.publicKey.bytes)
  const signer = ed25519Signer(keys.bridge.secret)
  return { account: accountOfKey(key), key, sign: (id) => signer.sign(id) }
}

/** Account of an address or of an alias `label@domain`; `key` is the configuration key that names it. */
export async function resolveAccountText(services: Services, key: string, text: string): Promise<AccountId> {
  const address = parseAddress(text, services.info.addressPrefix)
  if (address !== undefined) return address
  if (!text.includes('@')) throw new LedgerError('config_invalid', `${key}: ${text} is no address of this chain`)
  const found = await services.query(accountByIdQuery, { id: undefined, alias: text })
  if (found === undefined) {
    throw new LedgerError('config_invalid', `${key}: there is no account ${text}`)
  }
  return found.id
}

/** The bridge of a node with its handlers; undefined where no bridge key is configured. */
export async function openBridge(config: NodeConfig, services: Services, audit: AuditTrail) {
  const { bridgeSigner } = services
  if (bridgeSigner === undefined) return undefined
  const store = await RecordStore.open(join(config.dataDir, 'bridge'))
  const { anonymousSubmitter, settlementWindow } = config.iso
  const { pastDays, futureDays } = settlementWindow
  const bridge = new IsoBridge(services, store, {
    signer: bridgeSigner,
    anonymousSubmitter:
      anonymousSubmitter === undefined
        ? undefined
        : await resolveAccountText(services, 'iso.anonymous_submitter', anonymousSubmitter),
    settlementWindow:
      pastDays === undefined && futureDays === undefined
        ? undefined
        : { ...(pastDays === undefined ? {} : { pastDays }), ...(futureDays === undefined ? {} : { futureDays }) },
    clockMs: () => Date.now(),
    audit,
  })
  return { bridge, store, handlers: isoHandlers(bridge) }
}
