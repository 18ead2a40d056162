// Writes the weights of Silero VAD v5 as little-endian float32: the 16 kHz model, then the 8 kHz model.
// `native/vad/weights.cc` reads them in the same order.
// Run by the build: node native/vad/extract-weights.mjs MODEL.onnx OUT.bin
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import protobuf from 'protobufjs';

const expectedHash = '2623a2953f6ff3d2c1e61740c6cdb7168133479b267dfef114a4a3cc5bdd788f';

// Schema with only those ONNX fields that are needed to find tensors. The field numbers are those of
// onnx.proto.
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Tensor { repeated int64 dims = 1; int32 type = 2; bytes raw = 9; }
  message Attribute { string name = 1; Tensor tensor = 5; Graph graph = 6; }
  message Node { repeated string input = 1; repeated string output = 2; string op = 4; repeated Attribute attribute = 5; }
  message Graph { repeated Node node = 1; }
  message Model { Graph graph = 7; }
`);

/** For each model: its branch of the `If` node in the file, and the number of bins of its spectrum. */
const models = [
  ['then_branch', 129],
  ['else_branch', 65],
];

/**
 * Returns the tensors of a model that the kernel needs, in order. Each has its name without the prefix of its
 * branch, and its number of elements.
 */
const wanted = (bins) => [
  ['encoder.0.reparam_conv.weight', 128 * bins * 3],
  ['encoder.0.reparam_conv.bias', 128],
  ['encoder.1.reparam_conv.weight', 64 * 128 * 3],
  ['encoder.1.reparam_conv.bias', 64],
  ['encoder.2.reparam_conv.weight', 64 * 64 * 3],
  ['encoder.2.reparam_conv.bias', 64],
  ['encoder.3.reparam_conv.weight', 128 * 64 * 3],
  ['encoder.3.reparam_conv.bias', 128],
  ['decoder.rnn.weight_ih', 512 * 128],
  ['decoder.rnn.weight_hh', 512 * 128],
  ['decoder.rnn.bias_ih', 512],
  ['decoder.rnn.bias_hh', 512],
  ['decoder.decoder.2.weight', 128],
  ['decoder.decoder.2.bias', 1],
];

const fail = (why) => {
  console.error(`extract-weights: ${why}. Run "npm ci" and build again.`);
  process.exit(1);
};

const [model, out] = process.argv.slice(2);
if (!model || !out) fail('usage: node extract-weights.mjs MODEL.onnx OUT.bin');
const bytes = readFileSync(model);
const hash = createHash('sha256').update(bytes).digest('hex');
if (hash !== expectedHash) fail(`${model} has SHA-256 ${hash}, expected ${expectedHash}`);

const { graph } = root.lookupType('Model').decode(bytes);
// The file contains a 16 kHz and an 8 kHz model. An `If` node selects one by the sample rate.
const choice = graph.node.find((node) => node.op === 'If');
const parts = models.flatMap(([side, bins]) => {
  const branch = choice?.attribute.find((attribute) => attribute.name === side)?.graph;
  if (!branch) fail(`the model has no ${side}`);
  const tensors = new Map();
  for (const node of branch.node) {
    const tensor = node.attribute.find((attribute) => attribute.name === 'value')?.tensor;
    if (node.op === 'Constant' && tensor) tensors.set(node.output[0], tensor);
  }
  return wanted(bins).map(([name, count]) => {
    const found = [...tensors].find(([scoped]) => scoped.endsWith(`__${name}`))?.[1];
    if (!found || found.type !== 1 || found.raw.length !== count * 4)
      fail(`tensor ${name} of the ${side} is missing or has another size`);
    return Buffer.from(found.raw);
  });
});
mkdirSync(dirname(out), { recursive: true });
// The complete file gets its final name last, so that a reader never finds a partial file.
writeFileSync(`${out}.part`, Buffer.concat(parts));
renameSync(`${out}.part`, out);
