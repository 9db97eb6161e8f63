/** Owns the start of the bridge on a node: its records, its reference data, its anonymous submitter. */
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { RunningService, ServiceContext } from '../../service.js'
import { isoHandlers } from '../bridge/handlers.js'
import { HeldMessages } from '../bridge/held.js'
import type { HoldRule } from '../bridge/holds.js'
import { Maintenance } from '../bridge/maintenance.js'
import { IsoBridge } from '../bridge/service.js'
import { RecordStore } from '../bridge/store.js'
import { MessageReader } from '../reader/reader.js'
import { ReferenceData } from '../refdata/service.js'
import type { IsoConfig } from './config.js'

/** Hold rules with their submitters resolved. */
async function holdRules({ holds }: IsoConfig, { resolveAccount }: ServiceContext): Promise<HoldRule[]> {
  const rules: HoldRule[] = []
  for (const [at, rule] of holds.entries()) {
    const { submitter } = rule
    const account = submitter === undefined ? undefined : await resolveAccount(`iso.hold[${at}].submitter`, submitter)
    rules.push({ ...rule, submitter: account })
  }
  return rules
}

/** The reference data of a node, read once; a set that cannot be read is logged, and messages wait for it. */
async function openReference({ reference }: IsoConfig, logger: Logger): Promise<ReferenceData> {
  const { bic, iban, currency } = reference
  const files = {
    ...(bic === undefined ? {} : { bic }),
    ...(iban === undefined ? {} : { iban }),
    ...(currency === undefined ? {} : { currency }),
  }
  return new ReferenceData(
    files,
    () => Date.now(),
    ({ kind, version, records, digest, fault }) => {
      if (fault === undefined) logger.info({ dataset: kind, version, records, digest }, 'reference data loaded')
      else logger.error({ dataset: kind, fault }, 'reference data not readable')
    },
  )
}

/** The bridge of a node; undefined where no bridge key is configured. */
export async function openBridge(context: ServiceContext, config: IsoConfig): Promise<RunningService | undefined> {
  const { services, audit, logger, dataDir } = context
  const { bridgeSigner } = services
  if (bridgeSigner === undefined) return undefined
  const store = await RecordStore.open(join(dataDir, 'bridge'))
  const { anonymousSubmitter, settlementWindow, pins, retentionDays } = config
  const { pastDays, futureDays } = settlementWindow
  const reference = await openReference(config, logger)
  const reader = new MessageReader()
  const clockMs = (): number => Date.now()
  const bridge = new IsoBridge(services, store, {
    signer: bridgeSigner,
    anonymousSubmitter:
      anonymousSubmitter === undefined
        ? undefined
        : await context.resolveAccount('iso.anonymous_submitter', anonymousSubmitter),
    settlementWindow:
      pastDays === undefined && futureDays === undefined
        ? undefined
        : { ...(pastDays === undefined ? {} : { pastDays }), ...(futureDays === undefined ? {} : { futureDays }) },
    holds: await holdRules(config, context),
    pins,
    reference,
    reader,
    clockMs,
    audit,
  })
  const desk = new HeldMessages(services, store, bridge, { clockMs, audit })
  const upkeep = new Maintenance(store, bridge.settlement, reference, {
    registry: services.metrics,
    retentionDays,
    refreshSeconds: config.reference.refreshSeconds,
    clockMs,
    onError: (error) => logger.error({ error: String(error) }, 'upkeep of the bridge failed'),
  })
  await upkeep.refresh()
  upkeep.start()
  const close = async (): Promise<void> => {
    await reader.close()
    await upkeep.stop()
    await store.close()
  }
  const resume = async (): Promise<void> => {
    const sent = await bridge.resume()
    if (sent > 0) logger.info({ messages: sent }, 'bridge messages sent again after the restart')
  }
  return { handlers: isoHandlers(services, bridge, desk), resume, close }
}
