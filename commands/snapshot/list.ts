import { ReadCommand } from '../../src/cli/command/read-command.js'

export default class SnapshotList extends ReadCommand {
  static override description =
    `Show the snapshots that a running node keeps for peers that start without data, and the one under way.
A node makes them by itself where snapshots.every_blocks says so, and when \`snapshot make\` asks for one.`
  static override examples = ['<%= config.bin %> snapshot list', '<%= config.bin %> snapshot list --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(SnapshotList)
    await this.show(flags, (routes) => routes.snapshots.list)
  }
}
