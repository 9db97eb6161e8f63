export declare function roomOf(file: string): string | undefined
export declare function folderCircles(imports: readonly (readonly [from: string, to: string])[]): string[][]
