/**
 * Owns the detection of the dialling process of a connection on this machine, by the tables of the operating system.
 */
import { readdir, readFile, readlink } from 'node:fs/promises'

/** True on systems that report the owner of a connection: Linux. */
export const IDENTIFIES_DIALERS = process.platform === 'linux'

/** Inode of the socket with this local port, from the kernel's table. */
async function inodeOf(port: number): Promise<string | undefined> {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const table = await readFile('/proc/net/tcp', 'latin1').catch(() => '')
  for (const line of table.split('\n').slice(1)) {
    const words = line.trim().split(/\s+/)
    if (words[1]?.endsWith(wanted) === true && words[9] !== '0') return words[9]
  }
  return undefined
}

/** True if a process has the socket of an inode. */
async function holds(pid: number, inode: string): Promise<boolean> {
  const folder = `/proc/${pid}/fd`
  const names = await readdir(folder).catch(() => [])
  const links = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')))
  return links.includes(`socket:[${inode}]`)
}

/** Name of the process that owns the socket with this local port; undefined if none of the given processes does. */
export async function dialerOf(port: number, processes: ReadonlyMap<string, number>): Promise<string | undefined> {
  const inode = await inodeOf(port)
  if (inode === undefined) return undefined
  for (const [name, pid] of processes) if (await holds(pid, inode)) return name
  return undefined
}
