/**
 * Owns the shared environment of test files of one worker: a file sees no settings of the machine, and must restore
 * what it changes.
 */

/** Environment settings of the user that would affect commands in this process; variables of the tests are kept. */
const SETTING =
  /^(XDG_CONFIG_HOME|CAUSEWAY_(API_TOKEN|BLS_BACKEND|DEBUG|GATEWAY|KEY_FILE|KEY_PASSPHRASE|LOCALNET|PROFILE|SHARE_PASSPHRASE.*|SIGNER_COMMAND|SINK_URL|TIMEOUT|NODE__.*))$/

/** Remove the settings of the machine. */
export function removeSettings(): void {
  for (const name of Object.keys(process.env)) if (SETTING.test(name)) delete process.env[name]
}

/** Environment that a file can change for later files. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly folder: string
  readonly umask: number
}

export const surroundings = (): Surroundings => ({
  env: { ...process.env },
  folder: process.cwd(),
  umask: process.umask(),
})

/** Restore the environment; returns the changed parts, empty if none. */
export function restore({ env, folder, umask }: Surroundings): string[] {
  const changed: string[] = []
  for (const name of new Set([...Object.keys(env), ...Object.keys(process.env)])) {
    const before = env[name]
    if (process.env[name] === before) continue
    changed.push(`the variable ${name}`)
    if (before === undefined) delete process.env[name]
    else process.env[name] = before
  }
  // Threads cannot change these two.
  if (process.cwd() !== folder) {
    changed.push('the working directory')
    process.chdir(folder)
  }
  if (process.umask() !== umask) {
    changed.push('the umask')
    process.umask(umask)
  }
  return changed
}
