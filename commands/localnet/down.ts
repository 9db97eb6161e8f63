import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { dirFlag } from '../../src/cli/command/flags.js'
import { localnetFolder, pickPeers, requireLocalnet } from '../../src/cli/settings/localnet-record.js'

/** Time that daemons get to drain and close before they are killed, in ms. */
const GRACE_MS = 15_000

export default class LocalnetDown extends BaseCommand {
  static override description =
    'Stop the processes of the local network with SIGTERM, and with SIGKILL if they do not end. Data is kept.'
  static override examples = ['<%= config.bin %> localnet down', '<%= config.bin %> localnet down --only val-3']
  static override flags = {
    ...dirFlag,
    only: Flags.string({ description: 'stop only this peer; may be repeated', multiple: true }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(LocalnetDown)
    const { stopPeers } = await import('../../src/cli/localnet/process.js')
    const { stopLinks } = await import('../../src/cli/localnet/links/process.js')
    const net = await requireLocalnet(localnetFolder(flags.dir))
    const ended = await stopPeers(pickPeers(net, flags.only ?? []), GRACE_MS)
    if (flags.only === undefined) await stopLinks(net)
    const words = { not_running: 'was not running', stopped: 'stopped', killed: 'killed: it did not end in time' }
    const peers = ended.map(({ name, how }) => ({ name, result: how }))
    this.out.result({ peers }, ended.map((one) => `${one.name} ${words[one.how]}`).join('\n'))
  }
}
