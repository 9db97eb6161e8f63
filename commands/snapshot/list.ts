import { ReadCommand } from '../../src/cli/command/read-command.js'

export default class SnapshotList extends ReadCommand {
  static override description = `Show the snapshots that a running node offers to new peers, and the one in progress.
A node makes them at every multiple of snapshots.every_blocks, and on request by \`snapshot make\`.`
  static override examples = ['<%= config.bin %> snapshot list', '<%= config.bin %> snapshot list --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(SnapshotList)
    await this.show(flags, (routes) => routes.snapshots.list)
  }
}
