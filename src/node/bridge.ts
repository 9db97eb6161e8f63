/** Owns the wiring of the ISO 20022 bridge into a node: its key, its records, its anonymous submitter. */
import { join } from 'node:path'
import { ed25519Signer } from '../crypto/index.js'
import { accountByIdQuery } from '../features/core/queries.js'
import { isoHandlers } from '../features/iso20022/bridge/handlers.js'
import { IsoBridge } from '../features/iso20022/bridge/service.js'
import { RecordStore } from '../features/iso20022/bridge/store.js'
import { ISO_ROUTES } from '../features/iso20022/schema/routes.js'
import type { BridgeSigner } from '../features/services.js'
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

/** Account of an address or of an alias `label@domain`. */
export async function resolveAccountText(services: Services, text: string): Promise<AccountId> {
  const address = parseAddress(text, services.info.addressPrefix)
  if (address !== undefined) return address
  const found = await services.query(accountByIdQuery, { id: undefined, alias: text })
  if (found === undefined) {
    throw new LedgerError('config_invalid', `iso.anonymous_submitter: there is no account ${text}`)
  }
  return found.id
}

/** The bridge of a node with its routes; undefined where no bridge key is configured. */
export async function openBridge(config: NodeConfig, services: Services) {
  const { bridgeSigner } = services
  if (bridgeSigner === undefined) return undefined
  const store = await RecordStore.open(join(config.dataDir, 'bridge'))
  const { anonymousSubmitter, settlementWindow } = config.iso
  const { pastDays, futureDays } = settlementWindow
  const bridge = new IsoBridge(services, store, {
    signer: bridgeSigner,
    anonymousSubmitter:
      anonymousSubmitter === undefined ? undefined : await resolveAccountText(services, anonymousSubmitter),
    settlementWindow:
      pastDays === undefined && futureDays === undefined
        ? undefined
        : { ...(pastDays === undefined ? {} : { pastDays }), ...(futureDays === undefined ? {} : { futureDays }) },
    clockMs: () => Date.now(),
  })
  return { bridge, store, routes: ISO_ROUTES, handlers: isoHandlers(bridge) }
}
