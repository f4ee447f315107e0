// Types of the part of the File System Access API that the page uses and TypeScript's library lacks, because only some
// browsers support it (https://wicg.github.io/file-system-access/).
interface Window {
  showSaveFilePicker?: (options: {
    readonly suggestedName: string
    readonly types: readonly {
      readonly description: string
      readonly accept: Readonly<Record<string, readonly string[]>>
    }[]
  }) => Promise<FileSystemFileHandle>
}
