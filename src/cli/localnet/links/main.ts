/**
 * Owns the process that proxies the links of a local network: one proxy in front of each peer, with the fault file
 * polled periodically. It runs until it is stopped; its only argument is the folder.
 */
import { join } from 'node:path'
import { sleep } from '../../../base/sleep.js'
import { replaceFile } from '../../../files/write-file.js'
import { type Localnet, requireLocalnet } from '../../settings/localnet-record.js'
import { pidOf } from '../process.js'
import { type LinkFaults, NO_FAULTS, readFaults, weatherOf } from './faults.js'
import { LINKS_PID_FILE } from './process.js'
import { LinkProxy } from './proxy.js'

/** Polling interval of the faults, in ms, short enough to seem immediate. */
const LOOK_EVERY_MS = 50

const portOf = (address: string): number => Number(address.slice(address.lastIndexOf(':') + 1))

async function processesOf(net: Localnet): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  for (const peer of net.peers) {
    const pid = await pidOf(peer)
    if (pid !== undefined) found.set(peer.name, pid)
  }
  return found
}

async function main(folder: string): Promise<void> {
  const net = await requireLocalnet(folder)
  let faults: LinkFaults = NO_FAULTS
  const weather = weatherOf(() => faults)
  for (const { name, p2p, listen } of net.peers) {
    if (listen === undefined) continue
    const proxy = new LinkProxy({
      to: name,
      listenPort: portOf(p2p),
      targetPort: portOf(listen),
      weather,
      processes: () => processesOf(net),
    })
    await proxy.listen()
  }
  await replaceFile(join(folder, LINKS_PID_FILE), `${process.pid}\n`)
  for (;;) {
    faults = await readFaults(folder)
    await sleep(LOOK_EVERY_MS)
  }
}

await main(process.argv[2] ?? '')
