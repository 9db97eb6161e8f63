/** Owns the start of the bridge on a node: its records, its reference data, its anonymous submitter. */
import { join } from 'node:path'
import type { Logger } from 'pino'
import { routesOf } from '../../../api/feature.js'
import type { LargeBodyReader } from '../../../api/services.js'
import { SYSTEM_CLOCKS } from '../../../base/clocks.js'
import { definedFields } from '../../../base/defined-fields.js'
import { accountSigner } from '../../../model/index.js'
import type { RunningService, ServiceContext } from '../../service.js'
import { Batches } from '../bridge/batches.js'
import { CommittedBlocks } from '../bridge/commits.js'
import type { BridgeContext } from '../bridge/context.js'
import { bridgeHandlers, statusHandlers } from '../bridge/handlers.js'
import { Maintenance } from '../bridge/maintenance.js'
import { MessageMutex } from '../bridge/message-mutex.js'
import type { HoldRule } from '../bridge/stages/hold.js'
import { RecordStore } from '../bridge/store.js'
import { Submitters } from '../bridge/submitters.js'
import { MessageReader } from '../reader/reader.js'
import { ReferenceData } from '../refdata/service.js'
import { isoSchema } from '../schema/index.js'
import { ISO_ROUTES } from '../schema/routes.js'
import type { IsoConfig } from './config.js'

/** Hold rules with their submitters resolved. */
async function holdRules({ holds }: IsoConfig, { resolveAccount }: ServiceContext): Promise<HoldRule[]> {
  const rules: HoldRule[] = []
  for (const [at, rule] of holds.entries()) {
    const { submitter } = rule
    const account = submitter === undefined ? undefined : await resolveAccount(`iso.hold[${at}].submitter`, submitter)
    rules.push({
      ...rule,
      // Until the submitter of a rule is resolved, the rule holds the payments of all submitters.
      get submitter() {
        return account?.id
      },
    })
  }
  return rules
}

/** Reference data of a node, read once; an unreadable set is logged, and messages are refused until it is loaded. */
async function openReference({ reference }: IsoConfig, logger: Logger): Promise<ReferenceData> {
  const { bic, iban, currency } = reference
  const files = definedFields({ bic, iban, currency })
  return new ReferenceData(files, SYSTEM_CLOCKS.wallMs, ({ kind, version, records, digest, fault }) => {
    if (fault === undefined) logger.info({ dataset: kind, version, records, digest }, 'reference data loaded')
    else logger.error({ dataset: kind, fault }, 'reference data not readable')
  })
}

/** Senders whose large messages are read: submitters on the ledger, and the anonymous submitter of a local network. */
function largeBodiesOf(bridge: BridgeContext): NonNullable<RunningService['largeBodies']> {
  const reader: LargeBodyReader = {
    async isKnown(claimed) {
      const account = claimed ?? bridge.anonymousSubmitter
      return account !== undefined && bridge.submitters.has(bridge.services, account, bridge.wallMs())
    },
  }
  return new Map([ISO_ROUTES.pacs008, ISO_ROUTES.pacs009].map(({ id }) => [id, reader]))
}

/** Open the bridge of a node; without a bridge key it only serves status requests, from the ledger. */
export async function openBridge(context: ServiceContext, config: IsoConfig): Promise<RunningService> {
  const { services, audit, logger, dataDir } = context
  const pair = context.keys.get('bridge')
  const { wallMs } = SYSTEM_CLOCKS
  if (pair === undefined) {
    const handlers = statusHandlers({ services, wallMs, store: undefined, anonymousSubmitter: undefined })
    return { handlers, withheld: routesOf(isoSchema).flatMap(({ id }) => (handlers.has(id) ? [] : [id])) }
  }
  const { settlementWindow, duplicateUetr, pins, retentionDays } = config
  const anonymous =
    config.anonymousSubmitter === undefined
      ? undefined
      : await context.resolveAccount('iso.anonymous_submitter', config.anonymousSubmitter)
  const holds = await holdRules(config, context)
  const reference = await openReference(config, logger)
  // Opened last, after all steps that may fail: the database is locked until it is closed.
  const store = await RecordStore.open(join(dataDir, 'bridge'))
  const signer = accountSigner(pair)
  const bridge: BridgeContext = {
    services,
    store,
    signer,
    get anonymousSubmitter() {
      return anonymous?.id
    },
    settlementWindow,
    duplicateUetr,
    holds,
    pins,
    reference,
    reader: new MessageReader(),
    batches: new Batches({ services, store, signer, wallMs }),
    mutex: new MessageMutex(),
    submitters: new Submitters(),
    wallMs,
    audit,
    logger,
  }
  const onError = (error: unknown): void => logger.error({ error: String(error) }, 'the bridge failed')
  const commits = new CommittedBlocks(bridge, onError)
  const maintenance = new Maintenance(bridge, {
    registry: services.metrics,
    retentionDays,
    refreshSeconds: config.reference.refreshSeconds,
    onError,
  })
  await maintenance.refresh()
  maintenance.start()
  const close = async (): Promise<void> => {
    await bridge.reader.close()
    await commits.stop()
    await maintenance.stop()
    await bridge.store.close()
  }
  const resume = async (): Promise<void> => {
    const sent = await commits.start()
    if (sent > 0) logger.info({ messages: sent }, 'bridge messages sent again after the restart')
  }
  const reload = async (next: unknown): Promise<() => void> => {
    const holds = await holdRules(next as IsoConfig, context)
    return () => {
      bridge.holds = holds
      // The reload does not wait for changed files.
      maintenance.refresh().catch(onError)
    }
  }
  return { handlers: bridgeHandlers(bridge), largeBodies: largeBodiesOf(bridge), resume, reload, close }
}
