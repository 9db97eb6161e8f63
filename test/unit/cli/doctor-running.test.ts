/** The doctor asks a running node whether its release can run the upgrades to come. */
import { afterEach, expect, it } from 'vitest'
import type { MissingAbi } from '../../../src/api/index.js'
import type { Patient } from '../../../src/doctor/check.js'
import { checkRunning } from '../../../src/doctor/running.js'
import type { NodeServices } from '../../../src/features/services.js'
import { Gateway } from '../../../src/gateway/index.js'
import { FakeNode } from '../gateway/support.js'

let gateway: Gateway | undefined
afterEach(() => gateway?.close())

/** What it says of upgrades at a node that lacks this ABI. */
async function upgradesOf(missingAbi: MissingAbi | undefined) {
  const { services } = new FakeNode()
  const lacking: NodeServices = { ...services, status: () => ({ ...services.status(), missingAbi }) }
  gateway = new Gateway({ address: '127.0.0.1:0', rateLimit: undefined }, { services: lacking })
  const { host, port } = await gateway.listen()
  const config = { gateway: { listen: { host, port }, tls: undefined } }
  const findings = await checkRunning({ config, running: true } as unknown as Patient)
  await gateway.close()
  return findings.find(({ check }) => check === 'upgrades')
}

const missing: MissingAbi = {
  upgrade: 'second',
  abiVersion: 2,
  abiHash: Buffer.alloc(32, 2),
  decided: false,
  fromHeight: 900,
}

it('a release that carries every ABI to come is well', async () => {
  expect(await upgradesOf(undefined)).toMatchObject({ level: 'ok' })
})

it('one that lacks the ABI of a proposed upgrade is warned of, and of an activated one it fails', async () => {
  const proposed = await upgradesOf(missing)
  expect(proposed).toMatchObject({ level: 'warn' })
  expect(proposed?.text).toContain('ABI 2')
  expect(proposed?.text).toContain('height 900')
  const activated = await upgradesOf({ ...missing, decided: true })
  expect(activated).toMatchObject({ level: 'fail' })
  expect(activated?.text).toContain('stops before height 900')
})
