/* clang.cc -- clang's front end, as a part of linchpin-fe.
 *
 * The driver turns the command into that of one job, clang -cc1, whose words become a compiler
 * instance: as in clang's own main().  The code generator is used without the back end's part of clang, which
 * with -disable-llvm-passes would only write the bitcode.
 */
#include "frontend/ir/clang.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/Basic/Stack.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Driver/Compilation.h>
#include <clang/Driver/Driver.h>
#include <clang/Driver/Tool.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/TextDiagnosticBuffer.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Frontend/Utils.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Path.h>
#include <llvm/TargetParser/Host.h>

using namespace clang;

namespace {

using Words = llvm::SmallVector<const char *, 64>;

/* Makes bitcode, in memory, or in the file that the command names if there is no memory for it. */
class Emit : public ASTFrontendAction {
public:
	explicit Emit(llvm::SmallVectorImpl<char> *own) : memory(own)
	{
	}

protected:
	std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &instance, llvm::StringRef file) override
	{
		if (memory)
			out = std::make_unique<llvm::raw_svector_ostream>(*memory);
		else if (!(out = instance.createDefaultOutputFile(true, file, "bc")))
			return nullptr;
		generator = CreateLLVMCodeGen(instance.getDiagnostics(), file, &instance.getVirtualFileSystem(),
					      instance.getHeaderSearchOpts(), instance.getPreprocessorOpts(),
					      instance.getCodeGenOpts(), context);
		return std::unique_ptr<ASTConsumer>(generator);
	}

	/* There is no module if an error was reported. */
	void EndSourceFileAction() override
	{
		if (const llvm::Module *module = generator ? generator->ReleaseModule() : nullptr)
			llvm::WriteBitcodeToFile(*module, *out, getCompilerInstance().getCodeGenOpts().EmitLLVMUseLists);
		out.reset(); /* the instance closes the file next */
	}

private:
	llvm::SmallVectorImpl<char> *memory;
	llvm::LLVMContext &context = *new llvm::LLVMContext; /* left to the end of the process, with the module */
	std::unique_ptr<llvm::raw_pwrite_stream> out;
	CodeGenerator *generator = nullptr; /* the consumer, which the compiler instance owns */
};

/* Runs the job that the driver has made of the command. */
bool execute(const driver::Command &job, const char *name, Emit &action)
{
	/* It is left to the end of the process, as with the executable (-disable-free). */
	CompilerInstance &instance = *new CompilerInstance;
	TextDiagnosticBuffer *const early = new TextDiagnosticBuffer;
	DiagnosticsEngine engine(new DiagnosticIDs, new DiagnosticOptions, early);
	const llvm::ArrayRef<const char *> words(job.getArguments()); /* -cc1 first */

	const bool understood = CompilerInvocation::CreateFromArgs(instance.getInvocation(), words.slice(1), engine, name);
	instance.createDiagnostics();
	early->FlushDiagnostics(instance.getDiagnostics());
	return understood && !instance.getDiagnostics().hasErrorOccurred() && instance.ExecuteAction(action);
}

/* clang++-19 stands for clang-19 --driver-mode=g++. */
void add_mode(Words &words, const driver::ParsedClangName &name)
{
	if (name.DriverMode)
		words.insert(words.begin() + 1, name.DriverMode);
}

bool translate(char **given, int count, Emit &action)
{
	Words words(given, given + count);

	noteBottomOfStack();
	const IntrusiveRefCntPtr<DiagnosticOptions> options = CreateAndPopulateDiagOpts(words);
	TextDiagnosticPrinter *const printer = new TextDiagnosticPrinter(llvm::errs(), &*options);
	printer->setPrefix(std::string(llvm::sys::path::stem(words[0])));
	DiagnosticsEngine engine(new DiagnosticIDs, &*options, printer);
	ProcessWarningOptions(engine, *options, false);

	/* Headers and libraries are found from where the executable is. */
	driver::Driver driver(LP_CLANG_PATH, llvm::sys::getDefaultTargetTriple(), engine);
	const driver::ParsedClangName name = driver::ToolChain::getTargetAndModeFromProgramName(words[0]);
	driver.setTargetAndMode(name);
	add_mode(words, name);
	const std::unique_ptr<driver::Compilation> compilation(driver.BuildCompilation(words));
	if (!compilation || compilation->containsError() || engine.hasErrorOccurred())
		return false;
	const driver::JobList &jobs = compilation->getJobs();
	if (jobs.size() != 1 || llvm::StringRef(jobs.begin()->getCreator().getName()) != "clang") {
		llvm::errs() << "linchpin-fe: not a command that translates one source file\n";
		return false;
	}
	return execute(*jobs.begin(), words[0], action);
}

} // namespace

LLVMMemoryBufferRef lp_clang_translate(char **words, int count)
{
	llvm::SmallVector<char, 0> bitcode;
	Emit action(&bitcode);

	if (!translate(words, count, action))
		return nullptr;
	return LLVMCreateMemoryBufferWithMemoryRangeCopy(bitcode.data(), bitcode.size(), "");
}

bool lp_clang_write(char **words, int count)
{
	Emit action(nullptr);

	return translate(words, count, action);
}
