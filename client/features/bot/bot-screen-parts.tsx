import { Text } from '@mantine/core'

/** In place of the field for questions, while nothing may be written. */
export const ReadOnlyNote = () => <Text size="sm">You can read conversations here, but not ask.</Text>
