import { BaseCommand } from '../../src/cli/command/base-command.js'
import { dirFlag } from '../../src/cli/command/flags.js'
import { localnetFolder, requireLocalnet } from '../../src/cli/settings/localnet-record.js'

export default class LocalnetStatus extends BaseCommand {
  static override description =
    'Show the peers of the local network: process, gateway, height, block hash and state root of each.'
  static override examples = ['<%= config.bin %> localnet status', '<%= config.bin %> localnet status --json']
  static override flags = { ...dirFlag }

  async run(): Promise<void> {
    const { flags } = await this.parse(LocalnetStatus)
    const net = await requireLocalnet(localnetFolder(flags.dir))
    const { localnetStatus } = await import('../../src/cli/localnet/status.js')
    const { statusTable } = await import('../../src/cli/localnet/summary.js')
    const status = await localnetStatus(net)
    const notes = status.peers.flatMap((one) => (one.note === null ? [] : [`${one.name}: ${one.note}`]))
    this.out.result(status, [`chain ${status.chain}`, statusTable(status), ...notes].join('\n'))
  }
}
