// Everything that npm starts runs on the Node of devDependencies; typed by hand in a shell it may not.
const major = Number(process.versions.node.split('.')[0])
if (major < 22) {
  console.error(
    `Node ${process.versions.node} is too old for this step. Start it through npm: "npm start", "npm test" or "npm run <script>".`,
  )
  process.exit(1)
}
