export type ProjectName = 'unit' | 'node' | 'sim' | 'process'
export declare const FOLDERS: Readonly<Record<ProjectName, readonly string[]>>
export declare const POOLS: Readonly<Record<ProjectName, 'threads' | 'forks'>>
export declare const SHORT_PROCESS_FILES: readonly string[]
export declare function projectOf(path: string): ProjectName | undefined
export declare function isShort(path: string): boolean
export declare const SUITE: 'short' | 'all'
export declare function slice(short: number, all: number): number
