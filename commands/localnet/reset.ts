import { rm } from 'node:fs/promises'
import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { dirFlag } from '../../src/cli/command/flags.js'
import { localnetFolder, requireLocalnet } from '../../src/cli/settings/localnet-record.js'

/** Data is removed anyway: a daemon gets little time, in ms. */
const GRACE_MS = 3_000

export default class LocalnetReset extends BaseCommand {
  static override description = 'Stop the local network and delete its folder with keys, ledger and logs.'
  static override examples = ['<%= config.bin %> localnet reset', '<%= config.bin %> localnet reset --yes']
  static override flags = { ...dirFlag, yes: Flags.boolean({ char: 'y', description: 'do not ask' }) }

  async run(): Promise<void> {
    const { flags } = await this.parse(LocalnetReset)
    // Only a folder with our record in it is ever removed.
    const net = await requireLocalnet(localnetFolder(flags.dir))
    if (!flags.yes) {
      const { confirm } = await import('../../src/cli/terminal/ask.js')
      await confirm(`This removes ${net.folder} with all keys and data`, net.chain, flags['no-input'])
    }
    const { stopPeers } = await import('../../src/cli/localnet/process.js')
    const { stopLinks } = await import('../../src/cli/localnet/links/process.js')
    await stopPeers(net.peers, GRACE_MS)
    await stopLinks(net)
    await rm(net.folder, { recursive: true, force: true })
    this.out.result({ removed: net.folder }, `removed ${net.folder}`)
  }
}
