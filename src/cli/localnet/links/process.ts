/** Owns the start and the end of the proxy process of a local network. */
import { spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sleep } from '../../../base/sleep.js'
import { compiledUrl } from '../../../crypto/compiled-url.js'
import { openAnew } from '../../../files/write-file.js'
import { LedgerError } from '../../../model/errors.js'
import type { Localnet } from '../../settings/localnet-record.js'
import { pidFrom, SHARED_MACHINE, stopProcess } from '../process.js'
import { NO_FAULTS, writeFaults } from './faults.js'

/** File with its process id, in the folder of the network; it exists once all proxies listen. */
export const LINKS_PID_FILE = 'links.pid'
/** Output of the process: the reason why it ended. */
const OUTPUT_FILE = 'links.txt'
const POLL_MS = 20
/** Maximum time of the start, in ms: the process only opens a few ports. */
const START_MS = 10_000

/** True if the links of a network pass through proxies. */
export const hasProxies = (net: Localnet): boolean => net.peers.some(({ listen }) => listen !== undefined)

/** Process id of the proxies; undefined if they do not run. */
export const linksPid = (net: Localnet): Promise<number | undefined> =>
  pidFrom(join(net.folder, LINKS_PID_FILE), net.folder)

/** Start the proxies of a network, if it has any and they are not running. They start without faults. */
export async function startLinks(net: Localnet): Promise<void> {
  if (!hasProxies(net) || (await linksPid(net)) !== undefined) return
  await rm(join(net.folder, LINKS_PID_FILE), { force: true })
  await writeFaults(net.folder, NO_FAULTS)
  const path = join(net.folder, OUTPUT_FILE)
  const output = await openAnew(path)
  const main = fileURLToPath(compiledUrl('cli/localnet/links/main.js'))
  const child = spawn(process.execPath, [...SHARED_MACHINE, main, net.folder], {
    detached: true,
    stdio: ['ignore', output.fd, output.fd],
  })
  await output.close()
  const deadlineMs = performance.now() + START_MS
  while ((await linksPid(net)) === undefined) {
    if (child.exitCode !== null || performance.now() > deadlineMs) {
      const output = (await readFile(path, 'utf8').catch(() => '')).trim().split('\n').slice(-4).join('\n')
      child.kill('SIGKILL')
      throw new LedgerError('unreachable', `the proxies of the links did not start: ${output}`, {
        hint: 'A port may be in use: run `causeway localnet down`, then try again.',
      })
    }
    await sleep(POLL_MS)
  }
  child.unref()
}

/** Stop the proxies of a network, and remove all link faults. */
export async function stopLinks(net: Localnet): Promise<void> {
  const pid = await linksPid(net)
  if (pid !== undefined) await stopProcess(pid)
  await rm(join(net.folder, LINKS_PID_FILE), { force: true })
  await writeFaults(net.folder, NO_FAULTS)
}
