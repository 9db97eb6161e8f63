/** The start of the bridge: a failed start leaves the records to the next one. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { generateKeyPair } from '../../../src/crypto/index.js'
import { RecordStore } from '../../../src/features/iso20022/bridge/store.js'
import type { IsoConfig } from '../../../src/features/iso20022/node/config.js'
import { openBridge } from '../../../src/features/iso20022/node/open.js'
import type { ServiceContext } from '../../../src/features/service.js'
import { LedgerError } from '../../../src/model/index.js'
import { FakeNode } from '../gateway/support.js'
import { RESOLVED, servicesOf } from './support.js'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'open-bridge-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

it('a bridge closes its record store if it cannot open because a hold rule has an unknown account', async () => {
  const services = servicesOf(new FakeNode(), { resolution: RESOLVED, messages: [] })
  const context = {
    services,
    keys: new Map([['bridge', await generateKeyPair('ed25519')]]),
    audit: { append: async () => undefined },
    logger: pino({ enabled: false }),
    dataDir,
    resolveAccount: async (key: string) => {
      throw new LedgerError('config_invalid', `${key}: no account`)
    },
  } as unknown as ServiceContext
  const config: IsoConfig = {
    anonymousSubmitter: undefined,
    holds: [
      { minAmount: undefined, minTotal: undefined, currency: undefined, submitter: 'nobody@nowhere', bic: undefined },
    ],
    pins: 'match',
    retentionDays: 400,
    reference: { bic: undefined, iban: undefined, currency: undefined, refreshSeconds: 60 },
    duplicateUetr: 'warn' as const,
    settlementWindow: { pastDays: undefined, futureDays: undefined },
  }
  await expect(openBridge(context, config)).rejects.toMatchObject({ code: 'config_invalid' })
  await (await RecordStore.open(join(dataDir, 'bridge'))).close()
})
