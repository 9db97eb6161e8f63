/** Owns a cluster with a gateway in front of its first member, for clients of a real chain. */

import type { Abi } from '../../src/executor/index.js'
import { ABI_1 } from '../../src/features/abi.js'
import { Gateway } from '../../src/gateway/index.js'
import type { Instruction } from '../../src/model/index.js'
import { type TestAccount, testAccount } from './chain.js'
import { Cluster, type Member } from './cluster.js'
import { CORE, CORE_AND_NAMES } from './served-routes.js'

/** Four validators, two accounts with money, and the address of the gateway; every profile is served. */
export interface Served {
  readonly alice: TestAccount
  readonly bob: TestAccount
  readonly cluster: Cluster
  readonly gateway: Gateway
  readonly url: string
  close(): Promise<void>
}

/**
 * Serve a chain of an ABI, with additional instructions in its genesis; from ABI 2 on including the routes of names.
 */
export async function serve(abi: Abi = ABI_1, extra: readonly Instruction[] = []): Promise<Served> {
  const [alice, bob] = [await testAccount('alice'), await testAccount('bob')]
  const cluster = await Cluster.start(4, [alice, bob], extra, undefined, undefined, abi)
  const [first] = cluster.list as [Member]
  const gateway = new Gateway(
    { address: '127.0.0.1:0', telemetryProfile: 'full' },
    { services: first.core.services, ...(abi === ABI_1 ? CORE : CORE_AND_NAMES) },
  )
  const { url } = await gateway.listen()
  const close = async (): Promise<void> => {
    await gateway.close()
    await cluster.close()
  }
  return { alice, bob, cluster, gateway, url, close }
}
