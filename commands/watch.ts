import { WatchCommand } from '../src/cli/watch/base.js'
import { watchFlags } from '../src/cli/watch/command.js'

export default class Watch extends WatchCommand {
  static override description =
    `Watch a node live: leader, phases, votes, certificates, payloads, lanes, throughput, and the reason of a stall.
Without a terminal, or with --lines, one line is printed per block, view change and stall; with --json NDJSON.`
  static override examples = [
    '<%= config.bin %> watch',
    '<%= config.bin %> watch --gateway http://127.0.0.1:8081 --ascii',
    '<%= config.bin %> watch --once',
    '<%= config.bin %> watch --json --limit 10',
  ]
  static override flags = watchFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(Watch)
    await this.watch(flags)
  }
}
