import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { dirFlag } from '../../src/cli/command/flags.js'
import { localnetFolder, pickPeers, requireLocalnet } from '../../src/cli/settings/localnet-record.js'
import { leaveWithReader } from '../../src/cli/terminal/standard-output.js'

export default class LocalnetLogs extends BaseCommand {
  static override description = 'Show the last log lines of the local network, prefixed with the name of the peer.'
  static override examples = ['<%= config.bin %> localnet logs', '<%= config.bin %> localnet logs val-1 --follow']
  static override args = { peer: Args.string({ description: 'only this peer', ignoreStdin: true }) }
  static override flags = {
    ...dirFlag,
    lines: Flags.integer({ char: 'n', description: 'lines of each peer', default: 20, min: 0, max: 10_000 }),
    follow: Flags.boolean({ char: 'f', description: 'follow new lines' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LocalnetLogs)
    const net = await requireLocalnet(localnetFolder(flags.dir))
    const { followLines, lastLines } = await import('../../src/cli/localnet/logs.js')
    const peers = pickPeers(net, args.peer === undefined ? [] : [args.peer])
    const sink = (peer: string, line: string): void => this.out.line(record(peer, line), `${peer}  ${line}`)
    const ends = await lastLines(peers, flags.lines, sink)
    if (!flags.follow) return
    leaveWithReader()
    await followLines(ends, sink)
  }
}

/** A log line as JSON: its own fields when it is JSON, as nearly all are. */
function record(peer: string, line: string): Record<string, unknown> {
  try {
    return { node: peer, ...(JSON.parse(line) as Record<string, unknown>) }
  } catch {
    return { node: peer, msg: line }
  }
}
