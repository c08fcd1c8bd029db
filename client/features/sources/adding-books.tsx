import { Alert, Loader, Text } from '@mantine/core'

/** Which bookkeeping file is being added, when there are several. */
export function LedgerImportProgress({ file }: { file: string | null }) {
  if (file === null) return null
  return (
    <Alert color="accent" role="status" icon={<Loader size={18} aria-hidden />} title={`Adding ${file} to the books`}>
      <Text size="sm">Each file waits until the one before it is loaded. Stay here for a moment.</Text>
    </Alert>
  )
}
