const LINES = ['w2', 'w3', 'w1', 'w3', 'w2', 'w1'] as const

const Lines = ({ className }: { className: string }) => (
  <div className={className} aria-hidden="true">
    {LINES.map((width, at) => (
      <span key={at} className={width} />
    ))}
  </div>
)

/** The page before the code of its layout is here: drawn like the server's first paint, whose place it takes over a slow line. */
export function LayoutSkeleton() {
  return (
    <div className="first-paint first-paint-member">
      <nav aria-label="Navigation">
        <Lines className="first-paint-links" />
      </nav>
      <header>
        <span className="w1" aria-hidden="true" />
      </header>
      <main aria-busy="true">
        <p role="status" className="only-reader">
          Loading
        </p>
        <Lines className="first-paint-rows" />
      </main>
    </div>
  )
}

/** The same of pages without navigation, such as the sign-in page. */
export const BareLayoutSkeleton = () => (
  <div className="first-paint">
    <main aria-busy="true">
      <p role="status" className="only-reader">
        Loading
      </p>
    </main>
  </div>
)
