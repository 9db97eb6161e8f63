/** Owns how each test file runs: every folder of tests belongs to one project of the test runner. */
import type { Plugin, UserWorkspaceConfig } from 'vitest/config'
import { variantPlugin } from './simulation/variant-plugin.js'

/** Folders by project; a folder inside one of another project belongs to its own. */
export const FOLDERS = {
  /** One process, sources alone: no build, no process, no thread of the program. */
  unit: ['src', 'test/unit', 'test/conformance', 'test/mutation'],
  /** Clusters of nodes inside the process; some of their threads run `dist/`. */
  node: ['test/unit/node', 'test/byzantine'],
  /** The simulator, and properties over histories made at random. */
  sim: ['test/simulation', 'test/property'],
  /** What starts processes of the program, or threads of it alone: `dist/`. */
  process: ['test/threads', 'test/network', 'test/tui', 'test/cli', 'test/e2e', 'test/docs', 'test/chaos'],
} as const

export type ProjectName = keyof typeof FOLDERS

const NAMES = Object.keys(FOLDERS) as ProjectName[]
const isBelow = (path: string, folder: string): boolean => path.startsWith(`${folder}/`)
const allFolders: readonly string[] = Object.values(FOLDERS).flat()

/** The project of a test file; undefined: nobody runs it. */
export function projectOf(path: string): ProjectName | undefined {
  const [nearest] = allFolders.filter((folder) => isBelow(path, folder)).sort((a, b) => b.length - a.length)
  return NAMES.find((name) => (FOLDERS[name] as readonly string[]).includes(nearest ?? ''))
}

const globs = (folders: readonly string[]): string[] => folders.map((folder) => `${folder}/**/*.test.{ts,tsx}`)
/** Folders of other projects inside those of this one. */
const insideOf = (name: ProjectName): string[] =>
  allFolders.filter((folder) => FOLDERS[name].some((own) => isBelow(folder, own)))

/** Files of a project share a worker: imports, compiled code and caches of one file serve the next. */
const shared = { isolate: false, setupFiles: ['test/support/clean-up.ts'] }

const settings: Record<ProjectName, object> = {
  unit: { pool: 'threads', ...shared, setupFiles: [...shared.setupFiles, 'test/support/no-build.ts'] },
  node: { pool: 'threads', ...shared, globalSetup: ['test/support/fresh-build.ts'] },
  // Hundreds of seeds are one test.
  sim: { pool: 'threads', ...shared, testTimeout: 900_000 },
  process: { pool: 'forks', ...shared, globalSetup: ['test/support/fresh-build.ts'] },
}

/** What reads modules of a project in a way of its own. */
const plugins: Partial<Record<ProjectName, Plugin[]>> = { sim: [variantPlugin()] }

/** The projects, one after the other: what starts processes does not run beside what has them wait for it. */
export const PROJECTS: UserWorkspaceConfig[] = NAMES.map((name, groupOrder) => ({
  plugins: plugins[name] ?? [],
  test: {
    name,
    include: globs(FOLDERS[name]),
    exclude: globs(insideOf(name)),
    sequence: { groupOrder },
    // Far more than any test needs: a slow machine is no fault.
    testTimeout: 240_000,
    hookTimeout: 60_000,
    ...settings[name],
  },
}))
