import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BaseCommand } from '../src/cli/command/base-command.js'
import { dirFlag, portFlags } from '../src/cli/command/flags.js'
import { localnetFolder } from '../src/cli/settings/localnet-record.js'
import { EXIT } from '../src/model/errors.js'

export default class Quickstart extends BaseCommand {
  static override description = `Start four validators on this machine and settle a pacs.008 payment on them.
Creates keys, proofs, topology and a signed genesis; shows the payment reach ACSC and the same state on all peers.
The network keeps running.`
  static override examples = ['<%= config.bin %> quickstart', '<%= config.bin %> quickstart --dir /tmp/demo --json']
  static override flags = { ...dirFlag, ...portFlags }

  async run(): Promise<void> {
    const { flags } = await this.parse(Quickstart)
    const startedMs = performance.now()
    const folder = localnetFolder(flags.dir)
    const { timeoutMs } = await this.settings(flags)
    const { root } = this.config
    const { readLocalnet } = await import('../src/cli/settings/localnet-record.js')
    if ((await readLocalnet(folder)) === undefined) {
      this.out.note('1. keys, proofs of possession, topology, signed genesis for four validators')
      const { NEWEST_ABI } = await import('../src/features/abi.js')
      const { makeLocalnet, templatePath } = await import('../src/node/genesis/index.js')
      const { writeOwnLocalnet } = await import('../src/cli/localnet/write.js')
      const template = templatePath(root, 'iso-demo')
      const options = { abi: NEWEST_ABI, folder, template, chain: 'causeway-local', validators: 4, logLevel: 'info' }
      const ports = { gatewayPort: flags['gateway-port'], p2pPort: flags['p2p-port'], nowMs: Date.now() }
      await makeLocalnet({ ...options, ...ports }, writeOwnLocalnet, (text) => this.out.note(`   ${text}`))
    } else this.out.note('1. the network exists: its keys, ledger and accounts are kept')
    this.out.note('2. four processes with mutual-TLS links')
    const { bringUp } = await import('../src/cli/localnet/bring-up.js')
    const { pathsIn } = await import('../src/node/config/index.js')
    const { net } = await bringUp({ folder, root, timeoutMs, silent: this.silent, pathsIn })
    this.out.note('3. a pacs.008 message through the gateway of the first peer')
    const { runQuickstart, quickstartText } = await import('../src/cli/setup/quickstart.js')
    const message = join(root, 'templates', 'iso', 'pacs008.xml')
    const body = await readFile(message)
    const outcome = await runQuickstart(net, body, timeoutMs, (text) => this.out.note(`   ${text}`))
    const elapsedMs = Math.round(performance.now() - startedMs)
    const ok = outcome.payment.pacs002_code === 'ACSC' && outcome.status.agreed === true
    this.out.result({ ok, elapsed_ms: elapsedMs, ...outcome }, quickstartText(net, message, outcome, elapsedMs))
    if (!ok) this.exitWith(outcome.payment.pacs002_code === 'RJCT' ? EXIT.rejected : EXIT.failed)
  }
}
