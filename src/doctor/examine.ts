/** Owns the order of the checks: prerequisites first, the network last. */
import type { DiagnosticContext, Finding } from './check.js'
import { checkDataDir, checkTls, examine } from './files.js'
import { checkIdentity } from './identity.js'
import { checkIntegrations } from './integrations.js'
import type { Access } from './live.js'
import { checkDisk, checkOpenFiles, checkPorts, checkRuntime, checkSync, MACHINE } from './machine.js'
import { checkPeers } from './peers.js'
import { checkProcess } from './process.js'
import { checkRunning } from './running.js'
import { checkSigner } from './signer.js'

/** All findings about the node of a configuration file. */
export async function examineNode(
  configFile: string,
  nowMs: number,
  access: Access,
  machine = MACHINE,
): Promise<{ readonly patient: DiagnosticContext; readonly findings: readonly Finding[] }> {
  const { patient, findings } = await examine(configFile, access)
  const parts = [
    () => checkRuntime(machine),
    () => checkIdentity(patient),
    () => checkDataDir(patient),
    () => checkDisk(patient, machine),
    () => checkSync(patient, machine),
    () => checkOpenFiles(machine),
    () => checkPorts(patient),
    () => checkTls(patient, nowMs),
    () => checkRunning(patient),
    () => checkSigner(patient),
    () => checkProcess(patient),
    () => checkIntegrations(patient),
    () => checkPeers(patient),
  ]
  const found = [...findings]
  for (const part of parts) found.push(...(await part()))
  return { patient, findings: found }
}
