import { existsSync } from 'node:fs'
import { Flags } from '@oclif/core'
import { BaseCommand } from '../src/cli/command/base-command.js'
import { nodeConfigFlags, nodeConfigPath } from '../src/cli/command/flags.js'
import { peerDoctorHint } from '../src/cli/settings/localnet-record.js'
import type { SettingFlags } from '../src/cli/settings/settings.js'
import { pairs } from '../src/cli/terminal/output.js'
import type { Access, Finding, Level } from '../src/doctor/index.js'
import { EXIT, LedgerError } from '../src/model/errors.js'

const MARKS: Readonly<Record<Level, string>> = { ok: '✓ ok  ', warn: '! warn', fail: '✗ fail', skip: '- skip' }

export default class Doctor extends BaseCommand {
  static override description =
    `Diagnose the node of a configuration, running or not, and print all faults with suggestions.
Checks configuration, genesis, keys, the registration of the peer, data directory, runtime, disk and its speed,
open files, ports, TLS files, the running node with its clock, and its peers. Exits 10 if a check failed; warnings do not count.
With --files, checks only the files that \`node start\` reads and the data directory, and exits with the code that a start would
have; use it before a restart.`
  static override examples = [
    '<%= config.bin %> doctor --config node.toml',
    '<%= config.bin %> doctor --config node.toml --files',
    '<%= config.bin %> doctor --config node.toml --fix',
    '<%= config.bin %> doctor --config node.toml --bundle report.json',
  ]
  static override flags = {
    ...nodeConfigFlags,
    files: Flags.boolean({ description: 'check only the inputs of `node start`', exclusive: ['fix', 'bundle'] }),
    fix: Flags.boolean({ description: 'apply safe fixes: modes of key files, missing folders' }),
    bundle: Flags.string({ description: 'also write a report without secrets to this new file' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Doctor)
    const isNamed = flags.config !== undefined || flags['peer-dir'] !== undefined
    const config = isNamed ? nodeConfigPath(flags) : 'node.toml'
    if (flags.files) return this.checkFiles(config)
    const { bundleOf, examineNode } = await import('../src/doctor/index.js')
    const access = await this.access(flags)
    let { patient, findings } = await examineNode(config, Date.now(), access)
    const fixed: string[] = []
    if (flags.fix) {
      for (const { fix } of findings) {
        // One that cannot be fixed, as a file of another user, stays among the findings.
        const done = await fix?.().catch((error: Error) => this.out.note(`not fixed: ${error.message}`))
        if (typeof done === 'string') fixed.push(done)
      }
      if (fixed.length > 0) ({ patient, findings } = await examineNode(config, Date.now(), access))
      for (const one of fixed) this.out.note(`fixed: ${one}`)
    }
    if (flags.bundle !== undefined) {
      const { writeNew } = await import('../src/node/genesis/index.js')
      await writeNew(flags.bundle, await bundleOf(patient, findings, this.config.version), 0o600)
      this.out.note(`report written to ${flags.bundle}`)
    }
    const hint = isNamed || existsSync(config) ? undefined : await peerDoctorHint()
    if (hint !== undefined) findings = findings.map((one) => (one.check === 'config' ? { ...one, try: hint } : one))
    const failures = findings.filter((one) => one.level === 'fail').length
    const warnings = findings.filter((one) => one.level === 'warn').length
    const shown = findings.map(({ check, level, text, try: hint }) => ({
      check,
      level,
      text,
      ...(hint && { try: hint }),
    }))
    const summary = failures === 0 ? `healthy, ${warnings} warnings` : `${failures} failed, ${warnings} warnings`
    this.out.result(
      { config, healthy: failures === 0, failures, warnings, fixed, findings: shown },
      `${findings.map(lineOf).join('\n')}\n\n${summary}`,
    )
    if (failures > 0) this.exitWith(EXIT.checkFailed)
  }

  /** Checks the files as a start does; throws its first fault. */
  private async checkFiles(path: string): Promise<void> {
    const { checkStart } = await import('../src/doctor/index.js')
    const { view, note } = await checkStart(path, Date.now())
    const { config, chain, genesis_hash: hash } = view
    this.out.result(
      view,
      pairs([
        ['configuration', config],
        ['chain', chain],
        ['genesis hash', hash],
        ['result', 'ready to start'],
      ]),
    )
    if (note !== undefined) this.out.note(note)
  }

  /** The tokens of the user; none where the settings have faults, which the doctor is not about. */
  private async access(flags: SettingFlags): Promise<Access> {
    try {
      const { tokenFor, insecure } = await this.settings(flags)
      return { tokenFor, insecure }
    } catch (error) {
      if (error instanceof LedgerError) return (await import('../src/doctor/index.js')).NO_ACCESS
      throw error
    }
  }
}

function lineOf({ check, level, text, try: hint }: Finding): string {
  const [first = '', ...rest] = text.split('\n')
  const more = [...rest, ...(hint === undefined ? [] : [`Try: ${hint}`])].map(
    (line) => `\n${' '.repeat(23)}${line.trim()}`,
  )
  return `${MARKS[level]} ${check.padEnd(15)} ${first}${more.join('')}`
}
