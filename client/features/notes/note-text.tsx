import { Anchor, Text } from '@mantine/core'
import { parseNote } from './note-pieces'

/** What somebody wrote: lines as they were typed, addresses as links, people by name. */
export function NoteText({ body, names }: { body: string; names: readonly string[] }) {
  return (
    <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {parseNote(body, names).map((piece, at) => {
        if (piece.kind === 'link')
          return (
            <Anchor
              key={at}
              href={piece.href}
              target="_blank"
              rel="noopener noreferrer nofollow"
              inherit
              underline="always"
            >
              {piece.text}
            </Anchor>
          )
        return piece.kind === 'person' ? <b key={at}>{piece.text}</b> : piece.text
      })}
    </Text>
  )
}
